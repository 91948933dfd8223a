//go:build linux

package storetest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// The first message of a connection has no type but a number, one of these or the protocol's version.
const (
	askCancel = 80877102
	askTLS    = 80877103
	askGSS    = 80877104
)

// message is one message of PostgreSQL's protocol.
type message struct {
	kind byte   // 0 = the first of a connection, or a byte that answers it
	raw  []byte // all of it
}

// body is what follows kind and length.
func (m message) body() []byte {
	if m.kind == 0 {
		return m.raw[4:]
	}
	return m.raw[5:]
}

// longestMessage is more than any statement of a store takes.
const longestMessage = 64 << 20

// readMessage reads a message, one without a type where first is true.
func readMessage(from *bufio.Reader, first bool) (m message, err error) {
	head := 5
	if first {
		head = 4
	}
	m.raw = make([]byte, head)
	if _, err := io.ReadFull(from, m.raw); err != nil {
		return m, err
	}
	if !first {
		m.kind = m.raw[0]
	}
	length := int(binary.BigEndian.Uint32(m.raw[head-4:])) - 4
	if length < 0 || length > longestMessage {
		return m, fmt.Errorf("a message of %d bytes", length)
	}
	m.raw = append(m.raw, make([]byte, length)...)
	_, err = io.ReadFull(from, m.raw[head:])
	return m, err
}

// request is the number in the first message of a connection.
func (m message) request() uint32 {
	if len(m.body()) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(m.body())
}

// commitMark is what statements begin with that commit without being called so.
const commitMark = "/*commit*/"

// commits finds the COMMITs among what a client says.
type commits struct {
	prepared map[string]bool // the names of prepared statements that commit
}

// is reports whether a message commits.
func (c *commits) is(m message) bool {
	switch m.kind {
	case 'Q': // a statement
		return isCommit(m.body())
	case 'P': // prepare: name, statement
		name, statement, _ := bytes.Cut(m.body(), []byte{0})
		c.prepared[string(name)] = isCommit(statement)
	case 'B': // run what was prepared: portal, name
		_, rest, _ := bytes.Cut(m.body(), []byte{0})
		name, _, _ := bytes.Cut(rest, []byte{0})
		return c.prepared[string(name)]
	}
	return false
}

func isCommit(statement []byte) bool {
	text, _, _ := bytes.Cut(statement, []byte{0})
	start := strings.TrimSpace(string(text[:min(len(text), 2*len(commitMark))]))
	return strings.HasPrefix(start, commitMark) || len(start) >= 6 && strings.EqualFold(start[:6], "commit")
}

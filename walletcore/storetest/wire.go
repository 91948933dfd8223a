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

// The first message of a connection has no type, only a number: one of these or the protocol's version.
const (
	askCancel = 80877102
	askTLS    = 80877103
	askGSS    = 80877104
)

// message is one message of PostgreSQL's protocol.
type message struct {
	kind byte   // 0 = the first message of a connection, or a byte that answers it
	raw  []byte // all of it
}

// body returns what follows kind and length.
func (m message) body() []byte {
	if m.kind == 0 {
		return m.raw[4:]
	}
	return m.raw[5:]
}

// longestMessage is more bytes than any statement of a store takes.
const longestMessage = 64 << 20

// readMessage reads a message, the first of a connection if first is set.
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

// request returns the number in the first message of a connection.
func (m message) request() uint32 {
	if len(m.body()) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(m.body())
}

// commitMark is the start of statements that commit without being a COMMIT.
const commitMark = "/*commit*/"

// statements finds, in what a client says, the statements that begin and end transactions.
type statements struct {
	prepared map[string]int // kinds of prepared statements by name
}

// Kinds of statements.
const (
	other = iota
	begin
	commit
)

// classify returns the kind of statement that a message has the server execute.
func (s *statements) classify(m message) int {
	switch m.kind {
	case 'Q': // a statement
		return kindOf(m.body())
	case 'P': // prepare: name, statement
		name, statement, _ := bytes.Cut(m.body(), []byte{0})
		s.prepared[string(name)] = kindOf(statement)
	case 'B': // run what was prepared: portal, name
		_, rest, _ := bytes.Cut(m.body(), []byte{0})
		name, _, _ := bytes.Cut(rest, []byte{0})
		return s.prepared[string(name)]
	}
	return other
}

func kindOf(statement []byte) int {
	switch {
	case startsWith(statement, commitMark), startsWith(statement, "commit"):
		return commit
	case startsWith(statement, "begin"):
		return begin
	}
	return other
}

// startsWith reports whether a statement starts with this text, ignoring case.
func startsWith(statement []byte, with string) bool {
	text := bytes.TrimLeft(statement, " \t\n")
	return len(text) >= len(with) && strings.EqualFold(string(text[:len(with)]), with)
}

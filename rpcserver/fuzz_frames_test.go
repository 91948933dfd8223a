package rpcserver

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// Flags in the second byte of a frame in the inputs of FuzzWebsocket.
const (
	masked   = 1 << iota // with a mask, as a client must
	zeroMask             // with a mask of zero bytes
	lies                 // with a longer length than the payload has
	long                 // with a length of eight bytes
)

// FuzzWebsocket sends frames. In an input, each frame is its first byte (FIN, reserved
// bits, opcode), a byte of flags, and its payload up to 0xff, which occurs in no text.
// With raw, the bytes are sent as they are.
func FuzzWebsocket(f *testing.F) {
	text, ping := "\x81\x01", "\x89\x01"
	for _, frames := range []string{
		text + isLocked, text + isLocked + "\xff" + text + isLocked, "\x82\x01" + isLocked, text + "\xff" + text,
		"\x01\x01" + isLocked[:10] + "\xff" + ping + "x\xff\x80\x01" + isLocked[10:], // in fragments, with a ping between
		"\x01\x01{\xff" + text + isLocked, "\x80\x01" + isLocked, "\x01\x01{",
		"\x81\x00" + isLocked, "\x81\x05" + isLocked, "\x81\x09" + isLocked, "\x91\x01" + isLocked, "\xc1\x01" + isLocked, "\x83\x01x", "\x8f\x01x",
		ping + "x", ping + strings.Repeat("x", 126), "\x09\x01x", "\x8a\x01x", "\x88\x01", "\x88\x01\x03", "\x88\x01\x03\xe8bye\xff" + text + isLocked, "\x88\x01\x00\x01",
		text + strings.Repeat("x", 20<<10), text + strings.Repeat("[", 40), text + "[" + isLocked + "," + isLocked + "]", text + "\xfe\xfd",
		text + `{"id":1,"method":"subscribe","params":["blocks"]}`, text + `{"id":1,"method":"subscribe","params":["blocks","x-1"]}` + "\xff" + text + `{"id":2,"method":"unsubscribe"}`,
		text + `{"id":1,"method":"slow"}`, text + `{"id":1,"method":"large"}`, text + `{"id":1,"method":"panic","params":["x"]}`, text + `{"method":"call","params":[0,"echo",["x"]]}`,
	} {
		f.Add([]byte(frames), false)
	}
	f.Add([]byte("\x81\x84\x01\x02\x03\x04zwx~"), true)
	f.Add([]byte("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04"), true)
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), true)
	s := newFuzzedServer(f)
	f.Fuzz(func(t *testing.T, frames []byte, raw bool) {
		if !raw {
			frames = assemble(frames)
		}
		s.feed.Publish(Event{"blocks", json.RawMessage(`{"head":1}`)})
		conn := connect(t, s.WSAddr())
		shake(t, conn, s.WSAddr())
		got, reset := sendAndRead(t, conn, string(frames))
		checkFrames(t, got, reset)
		s.checkHealthy(t)
	})
}

// shake makes the websocket handshake on conn. It reads only the answer, byte by byte.
func shake(t *testing.T, conn net.Conn, host string) {
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", host)
	var got []byte
	for one := make([]byte, 1); !bytes.HasSuffix(got, []byte("\r\n\r\n")); got = append(got, one...) {
		if _, err := conn.Read(one); err != nil {
			t.Fatalf("the handshake was answered %q: %v", got, err)
		}
	}
	if !bytes.HasPrefix(got, []byte("HTTP/1.1 101 ")) {
		t.Fatalf("the handshake was answered %q", got)
	}
}

// assemble returns the bytes of the frames in an input.
func assemble(written []byte) (wire []byte) {
	for frame := range bytes.SplitSeq(written, []byte{0xff}) {
		if len(frame) < 2 {
			continue
		}
		payload := frame[2:]
		wire = appendLength(append(wire, frame[0]), len(payload), frame[1])
		if frame[1]&masked == 0 {
			wire = append(wire, payload...)
			continue
		}
		mask := []byte{1, 2, 3, 4}
		if frame[1]&zeroMask != 0 {
			clear(mask)
		}
		wire = append(wire, mask...)
		for i, c := range payload {
			wire = append(wire, c^mask[i%4])
		}
	}
	return wire
}

func appendLength(wire []byte, n int, how byte) []byte {
	bit := how & masked << 7
	if how&lies != 0 {
		n += 1000
	}
	switch {
	case how&long != 0:
		return binary.BigEndian.AppendUint64(append(wire, bit|127), uint64(n))
	case n > 125:
		return binary.BigEndian.AppendUint16(append(wire, bit|126), uint16(n))
	default:
		return append(wire, bit|byte(n))
	}
}

// checkFrames checks all that the server sent: whole frames without a mask, each of them
// JSON text or a control frame. Only after a reset may the last one be cut off.
func checkFrames(t *testing.T, got []byte, reset bool) {
	r := bufio.NewReader(bytes.NewReader(got))
	for {
		first, payload, err := readFrame(r)
		switch {
		case errors.Is(err, io.EOF) || err != nil && reset:
			return
		case err != nil:
			t.Fatalf("a frame is cut off: %v", err)
		case first == 0x81 && !json.Valid(payload):
			t.Fatalf("%.200q is no JSON", payload)
		case first != 0x81 && first != 0x88 && first != 0x89 && first != 0x8a:
			t.Fatalf("a frame begins with %#x", first)
		}
	}
}

// readFrame returns io.EOF only between frames.
func readFrame(r *bufio.Reader) (first byte, payload []byte, err error) {
	if first, err = r.ReadByte(); err != nil {
		return 0, nil, err
	}
	second, _ := r.ReadByte()
	n := uint64(second)
	switch second {
	case 126:
		n, err = readLength(r, 2)
	case 127:
		n, err = readLength(r, 8)
	}
	if err != nil {
		return first, nil, err
	}
	payload, err = io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && uint64(len(payload)) < n {
		err = io.ErrUnexpectedEOF
	}
	return first, payload, err
}

func readLength(r io.Reader, size int) (n uint64, err error) {
	var b [8]byte
	if _, err = io.ReadFull(r, b[8-size:]); err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	return binary.BigEndian.Uint64(b[:]), nil
}

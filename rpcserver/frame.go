package rpcserver

import (
	"encoding/binary"
	"math"
)

// Every subscriber gets the same bytes, and the events of a block leave in one write, so their frames are built
// here and not by the websocket of each subscriber (RFC 6455, section 5.2).
const (
	wholeText      = 0x81 // a text message in one frame
	frameLength16  = 126  // the length follows in two bytes
	frameLength64  = 127  // in eight
	maxFrameHeader = 10
)

// appendFrameHeader appends the header of a text message of n bytes that a server sends.
func appendFrameHeader(b []byte, n int) []byte {
	switch {
	case n < frameLength16:
		return append(b, wholeText, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, wholeText, frameLength16), uint16(n))
	}
	return binary.BigEndian.AppendUint64(append(b, wholeText, frameLength64), uint64(n))
}

package deflate

import (
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"math/bits"
)

const (
	windowSize = 1 << 15
	minMatch   = 3
	maxMatch   = 258
	// lookahead is the number of bytes behind a byte that must be known before it is compressed.
	lookahead   = maxMatch + minMatch + 1
	maxDistance = windowSize - lookahead
	hashSize    = 1 << 15

	// The default level: how long a match is searched for.
	maxChain   = 128  // positions looked at
	goodMatch  = 8    // with one as long before it, a quarter of them
	lazyMatch  = 16   // with one as long, the next position is not looked at
	niceMatch  = 128  // long enough
	farMatch   = 4096 // a match of 3 bytes at more than this distance is worse than literals
	chainShift = 2
)

// Writer compresses what is written to it, in gzip's format.
type Writer struct {
	block  *block
	sum    hash.Hash32
	length uint32 // of the input, modulo 2^32 as the format has it
	closed bool

	// window holds what was compressed, back to 32 KiB, and what was not yet; at is the next byte to be compressed, end the end of what
	// is known. When the upper half is used up, it becomes the lower half.
	window     [2 * windowSize]byte
	at, end    int
	blockStart int // may have left the window, then it is negative

	// head is the last position of each hash of three bytes, previous the position with the same hash before each; 0 stands for none.
	head     [hashSize]uint16
	previous [windowSize]uint16

	// A match is written only if there is none longer one byte later.
	matchLength, matchStart int  // the match that was found last
	pending                 bool // the byte before at is not written yet
}

// header is gzip's, without name and time, of an unknown system.
var header = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

var errClosed = errors.New("deflate: the writer is closed")

// NewWriter returns a writer to w. The caller closes it.
func NewWriter(w io.Writer) *Writer {
	d := &Writer{block: newBlock(w), sum: crc32.NewIEEE(), matchLength: minMatch - 1}
	d.block.out.buffer = append(d.block.out.buffer, header...)
	return d
}

// Write compresses p. What was written so far has the same form whatever the sizes of the parts, save for a match at the utmost distance,
// which zlib itself finds or misses by the size of the parts.
func (d *Writer) Write(p []byte) (int, error) {
	if d.closed {
		return 0, errClosed
	}
	written := len(p)
	d.length += uint32(len(p)) //nolint:gosec // modulo 2^32
	_, _ = d.sum.Write(p)
	for {
		p = d.fill(p)
		if d.end-d.at < lookahead {
			break
		}
		d.compress(lookahead)
	}
	return written, d.block.out.err
}

// Close writes what is left, and gzip's check sum and length. It does not close the writer below.
func (d *Writer) Close() error {
	if d.closed {
		return nil
	}
	d.closed = true
	d.compress(1)
	if d.pending {
		d.block.literal(d.window[d.at-1])
	}
	d.block.finish(d.raw(), true)
	out := &d.block.out
	out.buffer = binary.LittleEndian.AppendUint32(out.buffer, d.sum.Sum32())
	out.buffer = binary.LittleEndian.AppendUint32(out.buffer, d.length)
	out.flush()
	return out.err
}

// fill moves as much of p into the window as it has room for, and returns the rest.
func (d *Writer) fill(p []byte) []byte {
	if d.at >= windowSize+maxDistance {
		copy(d.window[:], d.window[windowSize:])
		d.at -= windowSize
		d.end -= windowSize
		d.matchStart -= windowSize
		d.blockStart -= windowSize
		slide(d.head[:])
		slide(d.previous[:])
	}
	n := copy(d.window[d.end:], p)
	d.end += n
	return p[n:]
}

func slide(positions []uint16) {
	for i, position := range positions {
		if position >= windowSize {
			positions[i] = position - windowSize
		} else {
			positions[i] = 0
		}
	}
}

// raw returns the bytes of the block, nil if some have left the window.
func (d *Writer) raw() []byte {
	if d.blockStart < 0 {
		return nil
	}
	return d.window[d.blockStart:d.at]
}

// insert remembers position i and returns the last one with the same hash. Two more bytes behind it are known.
func (d *Writer) insert(i int) int {
	h := (uint(d.window[i])<<10 ^ uint(d.window[i+1])<<5 ^ uint(d.window[i+2])) % hashSize
	last := d.head[h]
	d.previous[i%windowSize] = last
	d.head[h] = uint16(i) //nolint:gosec // below 2^16
	return int(last)
}

// compress takes bytes while at least enough are known.
func (d *Writer) compress(enough int) {
	for d.end-d.at >= enough {
		known := d.end - d.at
		if known < lookahead {
			d.fill(nil)
		}
		candidate := 0
		if known >= minMatch {
			candidate = d.insert(d.at)
		}
		before, start := d.matchLength, d.matchStart
		length := minMatch - 1
		if candidate != 0 && before < lazyMatch && d.at-candidate <= maxDistance {
			length = d.longest(candidate, before)
			if length == minMatch && d.at-d.matchStart > farMatch {
				length = minMatch - 1
			}
		}
		d.matchLength = length
		switch {
		case before >= minMatch && length <= before: // the match before is the better one
			full := d.block.match(d.at-1-start, before)
			lastInsert := d.end - minMatch
			for end := d.at + before - 2; d.at < end; {
				d.at++
				if d.at <= lastInsert {
					d.insert(d.at)
				}
			}
			d.at++
			d.pending = false
			d.matchLength = minMatch - 1
			if full {
				d.finishBlock()
			}
		case d.pending:
			if d.block.literal(d.window[d.at-1]) {
				d.finishBlock()
			}
			d.at++
		default:
			d.pending = true
			d.at++
		}
	}
}

// finishBlock ends the block at the position: behind a match, or behind the byte before it.
func (d *Writer) finishBlock() {
	d.block.finish(d.raw(), false)
	d.blockStart = d.at
}

// longest returns the length of the longest match that begins at the position, at most what is known and more than before; its start goes to
// matchStart. The length is at most before if there is none.
func (d *Writer) longest(candidate, before int) int {
	best, chain := before, maxChain
	if before >= goodMatch {
		chain >>= chainShift
	}
	known := d.end - d.at
	nice := min(niceMatch, known)
	limit := max(0, d.at-maxDistance)
	scan := d.window[d.at:min(d.at+maxMatch, d.end)]
	for {
		match := d.window[candidate:]
		if best < len(scan) && match[best] == scan[best] && match[best-1] == scan[best-1] && match[0] == scan[0] && match[1] == scan[1] {
			length := common(match, scan)
			if length > best {
				best, d.matchStart = length, candidate
				if length >= nice {
					break
				}
			}
		}
		candidate = int(d.previous[candidate%windowSize])
		chain--
		if candidate <= limit || chain == 0 {
			break
		}
	}
	return min(best, known)
}

// common returns how many bytes scan and match have in common at their beginning; match is not shorter.
func common(match, scan []byte) int {
	match = match[:len(scan)]
	n := 0
	for n+8 <= len(scan) {
		if x := binary.LittleEndian.Uint64(match[n:]) ^ binary.LittleEndian.Uint64(scan[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(scan) && match[n] == scan[n] {
		n++
	}
	return n
}

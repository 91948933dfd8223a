package deflate

import "io"

const (
	literals   = 256
	endOfBlock = 256
	// litLenCodes counts the codes of literals, the end and lengths; distCodes those of distances.
	litLenCodes = literals + 1 + 29
	distCodes   = 30
	lengthCodes = 19 // codes of code lengths
	heapSize    = 2*litLenCodes + 1

	maxBits       = 15
	maxLengthBits = 7

	// symbolsPerBlock is the number of symbols after which a block ends.
	symbolsPerBlock = 1<<14 - 1
)

// Codes of code lengths that repeat others.
const (
	repeatLast     = 16 // the last length 3 to 6 times, in 2 bits
	repeatZero     = 17 // zero 3 to 10 times, in 3 bits
	repeatZeroLong = 18 // zero 11 to 138 times, in 7 bits
)

// lengthOrder is the order in which the lengths of the length codes are written: those least likely last.
var lengthOrder = [lengthCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// symbol is a literal, if distance is 0, or a match: length is 3 less than its length.
type symbol struct {
	distance uint16
	length   uint8
}

// bitWriter packs bits from the lowest on.
type bitWriter struct {
	to     io.Writer
	err    error // of to, kept
	bits   uint64
	filled uint
	buffer []byte
}

func (w *bitWriter) put(value uint32, count uint) {
	w.bits |= uint64(value) << w.filled
	w.filled += count
	for w.filled >= 8 {
		w.buffer = append(w.buffer, byte(w.bits))
		w.bits >>= 8
		w.filled -= 8
	}
}

// align fills the last byte with zeros.
func (w *bitWriter) align() {
	if w.filled > 0 {
		w.put(0, 8-w.filled)
	}
}

func (w *bitWriter) flush() {
	if w.err == nil {
		_, w.err = w.to.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
}

// block gathers the symbols of a block and how often each code occurs in it.
type block struct {
	out     bitWriter
	symbols []symbol

	litLen, dist, lengths tree
}

func newBlock(to io.Writer) *block {
	b := &block{
		out:     bitWriter{to: to, buffer: make([]byte, 0, 1<<16)},
		symbols: make([]symbol, 0, symbolsPerBlock),
		litLen:  tree{codes: litLenCodes, maxBits: maxBits, extra: litLenExtra[:], fixed: fixedLitLen},
		dist:    tree{codes: distCodes, maxBits: maxBits, extra: distExtra[:], fixed: fixedDist},
		lengths: tree{codes: lengthCodes, maxBits: maxLengthBits, extra: lengthExtra[:]},
	}
	b.reset()
	return b
}

func (b *block) reset() {
	b.symbols = b.symbols[:0]
	b.litLen.reset()
	b.dist.reset()
	b.lengths.reset()
	b.litLen.frequency[endOfBlock] = 1
}

// literal adds a byte and reports whether the block is full.
func (b *block) literal(c byte) bool {
	b.symbols = append(b.symbols, symbol{length: c})
	b.litLen.frequency[c]++
	return len(b.symbols) == symbolsPerBlock
}

// match adds a match of length bytes at a distance and reports whether the block is full.
func (b *block) match(distance, length int) bool {
	b.symbols = append(b.symbols, symbol{distance: uint16(distance), length: uint8(length - minMatch)}) //nolint:gosec // at most 32 KiB and 255
	b.litLen.frequency[lengthCode[length-minMatch]]++
	b.dist.frequency[distanceCode(distance)]++
	return len(b.symbols) == symbolsPerBlock
}

// finish writes the block in the shortest of three forms. raw are its bytes as they came, nil if they are gone from the window.
func (b *block) finish(raw []byte, last bool) {
	b.litLen.build()
	b.dist.build()
	b.lengths.count(b.litLen.lengths[:b.litLen.used+1])
	b.lengths.count(b.dist.lengths[:b.dist.used+1])
	b.lengths.build()
	sent := lengthCodes - 1
	for sent > 2 && b.lengths.lengths[lengthOrder[sent]] == 0 {
		sent--
	}
	sent++

	bytes := func(bits int) int { return (bits + 3 + 7) / 8 }
	dynamic := bytes(b.litLen.bits + b.dist.bits + b.lengths.bits + 3*sent + 5 + 5 + 4)
	fixed := bytes(b.litLen.fixedBits + b.dist.fixedBits)
	var final uint32
	if last {
		final = 1
	}
	switch {
	case raw != nil && len(raw)+4 <= min(dynamic, fixed):
		b.out.put(final, 3)
		b.out.align()
		b.out.put(uint32(len(raw)), 16)         //nolint:gosec // at most 64 KiB
		b.out.put(^uint32(len(raw))&0xffff, 16) //nolint:gosec // at most 64 KiB
		b.out.buffer = append(b.out.buffer, raw...)
	case fixed <= dynamic:
		b.out.put(1<<1|final, 3)
		b.writeSymbols(fixedLitLen, fixedDist)
	default:
		b.out.put(2<<1|final, 3)
		b.writeTrees(sent)
		b.writeSymbols(&b.litLen.code, &b.dist.code)
	}
	b.reset()
	if last {
		b.out.align()
	}
	b.out.flush()
}

// writeTrees writes the lengths of the codes, sent of them for the length codes.
func (b *block) writeTrees(sent int) {
	b.out.put(uint32(b.litLen.used+1-(literals+1)), 5) //nolint:gosec // 0 to 29
	b.out.put(uint32(b.dist.used), 5)                  //nolint:gosec // 0 to 29
	b.out.put(uint32(sent-4), 4)                       //nolint:gosec // 0 to 15
	for _, code := range lengthOrder[:sent] {
		b.out.put(uint32(b.lengths.lengths[code]), 3)
	}
	write := func(code, extra uint32, bits uint) {
		b.out.put(uint32(b.lengths.code[code].code), uint(b.lengths.code[code].bits))
		b.out.put(extra, bits)
	}
	runs(b.litLen.lengths[:b.litLen.used+1], write)
	runs(b.dist.lengths[:b.dist.used+1], write)
}

// writeSymbols writes the symbols and the end of the block.
func (b *block) writeSymbols(litLen, dist *codes) {
	put := func(c code) { b.out.put(uint32(c.code), uint(c.bits)) }
	for _, s := range b.symbols {
		if s.distance == 0 {
			put(litLen[s.length])
			continue
		}
		l := lengthCode[s.length]
		put(litLen[l])
		l -= literals + 1
		b.out.put(uint32(s.length-lengthBase[l]), uint(litLenExtra[literals+1+int(l)]))
		d := distanceCode(int(s.distance))
		put(dist[d])
		b.out.put(uint32(s.distance-1-distBase[d]), uint(distExtra[d]))
	}
	put(litLen[endOfBlock])
}

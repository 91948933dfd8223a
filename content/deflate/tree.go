package deflate

import "math/bits"

// code is the written form of a symbol: the lowest bits of code, first bit lowest.
type code struct {
	code uint16
	bits uint8
}

// codes is indexed by what a code stands for. Two places more than there are codes stand for nothing in the fixed code.
type codes [litLenCodes + 2]code

// tree is a Huffman code in the making. zlib breaks ties by the depth below a node and limits the length of codes in a way of its own;
// both are kept, since other codes of the same length are other bytes.
type tree struct {
	codes   int     // that exist
	maxBits int     // of a code
	extra   []uint8 // bits behind each code
	fixed   *codes  // the fixed code in place of this one; nil if there is none

	frequency [heapSize]int32
	lengths   [heapSize]uint8
	parent    [heapSize]int16
	depth     [heapSize]uint8
	heap      [heapSize]int16
	code      codes

	used      int // the highest code that occurs
	bits      int // of all symbols, with what is behind their codes
	fixedBits int // the same in the fixed code
}

func (t *tree) reset() { clear(t.frequency[:t.codes]) }

// count counts the codes that the lengths of another tree need.
func (t *tree) count(lengths []uint8) {
	runs(lengths, func(code, _ uint32, _ uint) { t.frequency[code]++ })
}

// less orders the heap.
func (t *tree) less(a, b int16) bool {
	return t.frequency[a] < t.frequency[b] || t.frequency[a] == t.frequency[b] && t.depth[a] <= t.depth[b]
}

// sink restores the order of the heap of size nodes, which begins at 1, below place at.
func (t *tree) sink(at, size int) {
	node := t.heap[at]
	for child := 2 * at; child <= size; child *= 2 {
		if child < size && t.less(t.heap[child+1], t.heap[child]) {
			child++
		}
		if t.less(node, t.heap[child]) {
			break
		}
		t.heap[at] = t.heap[child]
		at = child
	}
	t.heap[at] = node
}

// build makes the code for the frequencies.
func (t *tree) build() {
	size, used := 0, -1
	t.bits, t.fixedBits = 0, 0
	for n := range t.codes {
		t.lengths[n] = 0
		if t.frequency[n] != 0 {
			size++
			t.heap[size] = int16(n) //nolint:gosec // below 286
			t.depth[n] = 0
			used = n
		}
	}
	// A code has at least two symbols, though readers would do with fewer. Those that do not occur take no room.
	for size < 2 {
		n := 0
		if used < 2 {
			used++
			n = used
		}
		size++
		t.heap[size] = int16(n) //nolint:gosec // 0 to 2
		t.frequency[n] = 1
		t.depth[n] = 0
		t.bits--
		if t.fixed != nil {
			t.fixedBits -= int(t.fixed[n].bits)
		}
	}
	t.used = used
	for n := size / 2; n >= 1; n-- {
		t.sink(n, size)
	}

	// The two rarest nodes become one, again and again. The end of the heap keeps all in the order in which they were taken.
	sorted := heapSize
	for node := int16(t.codes); size >= 2; node++ { //nolint:gosec // at most 286
		rare := t.heap[1]
		t.heap[1] = t.heap[size]
		size--
		t.sink(1, size)
		next := t.heap[1]
		t.heap[sorted-1], t.heap[sorted-2] = rare, next
		sorted -= 2
		t.frequency[node] = t.frequency[rare] + t.frequency[next]
		t.depth[node] = max(t.depth[rare], t.depth[next]) + 1
		t.parent[rare], t.parent[next] = node, node
		t.heap[1] = node
		t.sink(1, size)
	}
	sorted--
	t.heap[sorted] = t.heap[1]
	t.measure(sorted)
}

// measure makes the codes of the tree whose nodes stand in the heap from root on, parents before their children.
func (t *tree) measure(root int) {
	var count [maxBits + 1]int
	overlong := 0
	t.lengths[t.heap[root]] = 0
	for _, node := range t.heap[root+1:] {
		length := int(t.lengths[t.parent[node]]) + 1
		if length > t.maxBits {
			length = t.maxBits
			overlong++
		}
		t.lengths[node] = uint8(length) //nolint:gosec // at most 15
		if int(node) > t.used {
			continue
		}
		count[length]++
		extra, frequency := int(t.extra[node]), int(t.frequency[node])
		t.bits += frequency * (length + extra)
		if t.fixed != nil {
			t.fixedBits += frequency * (int(t.fixed[node].bits) + extra)
		}
	}
	if overlong > 0 {
		t.shorten(&count, overlong)
	}
	assign(t.code[:t.used+1], t.lengths[:], count)
}

// shorten deals the lengths out anew, since some codes would be longer than the format has them. Count is the number of codes of each length.
func (t *tree) shorten(count *[maxBits + 1]int, overlong int) {
	for ; overlong > 0; overlong -= 2 {
		length := t.maxBits - 1
		for count[length] == 0 {
			length--
		}
		count[length]-- // moves one down, beside one that was too long
		count[length+1] += 2
		count[t.maxBits]--
	}
	// The rarest get the longest.
	at := heapSize
	for length := t.maxBits; length > 0; length-- {
		for left := count[length]; left > 0; {
			at--
			node := t.heap[at]
			if int(node) > t.used {
				continue
			}
			t.bits += (length - int(t.lengths[node])) * int(t.frequency[node])
			t.lengths[node] = uint8(length) //nolint:gosec // at most 15
			left--
		}
	}
}

// assign numbers the codes of each length from the shortest on.
func assign(to []code, lengths []uint8, count [maxBits + 1]int) {
	var next [maxBits + 1]int
	for length := 1; length < maxBits; length++ {
		next[length+1] = (next[length] + count[length]) * 2
	}
	for n := range to {
		if length := lengths[n]; length != 0 {
			to[n] = code{code: bits.Reverse16(uint16(next[length])) >> (16 - length), bits: length} //nolint:gosec // below 2^15
			next[length]++
		}
	}
}

// runs calls emit with the codes that describe the lengths of the codes of a tree, and with the number, of so many bits, that follows each.
func runs(lengths []uint8, emit func(code, extra uint32, bits uint)) {
	for len(lengths) > 0 {
		length, n := lengths[0], 1
		for n < len(lengths) && lengths[n] == length {
			n++
		}
		lengths = lengths[n:]
		if length != 0 {
			emit(uint32(length), 0, 0)
			n--
		}
		for n > 0 {
			var some int
			switch {
			case n < 3:
				some = 1
				emit(uint32(length), 0, 0)
			case length != 0:
				some = min(n, 6)
				emit(repeatLast, uint32(some-3), 2) //nolint:gosec // 0 to 3
			case n <= 10:
				some = n
				emit(repeatZero, uint32(some-3), 3) //nolint:gosec // 0 to 7
			default:
				some = min(n, 138)
				emit(repeatZeroLong, uint32(some-11), 7) //nolint:gosec // 0 to 127
			}
			n -= some
		}
	}
}

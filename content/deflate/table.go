package deflate

// The alphabets of RFC 1951, section 3.2.5 and 3.2.6. Each table is computed once, when the program starts: some 900 steps.
var (
	litLenExtra = litLenExtraBits()
	distExtra   = distExtraBits()
	lengthExtra = [lengthCodes]uint8{repeatLast: 2, repeatZero: 3, repeatZeroLong: 7}

	lengthBase, lengthCode = lengthTables()
	distBase, distCode     = distTables()

	fixedLitLen = fixedLitLenCode()
	fixedDist   = fixedDistCode()
)

const lastLength = litLenCodes - 1 // the code of a match of 258 bytes

func litLenExtraBits() (extra [litLenCodes]uint8) {
	for n := literals + 1 + 8; n < lastLength; n++ {
		extra[n] = uint8((n - literals - 1 - 4) / 4) //nolint:gosec // 1 to 5
	}
	return extra
}

func distExtraBits() (extra [distCodes]uint8) {
	for n := 4; n < distCodes; n++ {
		extra[n] = uint8((n - 2) / 2) //nolint:gosec // 1 to 13
	}
	return extra
}

// lengthTables returns the shortest match of each code from that of 3 bytes on, and the code of each match; both count from 3 bytes.
func lengthTables() (base [litLenCodes - literals - 1]uint8, of [256]uint16) {
	length := 0
	for n := range base {
		if literals+1+n == lastLength {
			length-- // 258 is also the last of the code before
		}
		base[n] = uint8(length) //nolint:gosec // at most 255
		for range 1 << litLenExtra[literals+1+n] {
			of[length] = uint16(literals + 1 + n) //nolint:gosec // at most 285
			length++
		}
	}
	return base, of
}

// distTables returns the shortest distance of each code, less 1, and the code of each distance, less 1, that is below 256, and from place
// 256 on of each higher one divided by 128.
func distTables() (base [distCodes]uint16, of [512]uint8) {
	distance := 0
	for n := range base {
		base[n] = uint16(distance) //nolint:gosec // below 2^15
		for range 1 << distExtra[n] {
			if distance < 256 {
				of[distance] = uint8(n) //nolint:gosec // below 30
			} else {
				of[256+distance>>7] = uint8(n) //nolint:gosec // below 30
			}
			distance++
		}
	}
	return base, of
}

func distanceCode(distance int) uint8 {
	distance--
	if distance < 256 {
		return distCode[distance]
	}
	return distCode[256+distance>>7]
}

func fixedLitLenCode() *codes {
	var lengths [litLenCodes + 2]uint8
	var count [maxBits + 1]int
	for n := range lengths {
		length := uint8(8)
		switch {
		case n >= 144 && n < 256:
			length = 9
		case n >= 256 && n < 280:
			length = 7
		}
		lengths[n] = length
		count[length]++
	}
	fixed := new(codes)
	assign(fixed[:], lengths[:], count)
	return fixed
}

func fixedDistCode() *codes {
	var lengths [distCodes]uint8
	for n := range lengths {
		lengths[n] = 5
	}
	fixed := new(codes)
	assign(fixed[:distCodes], lengths[:], [maxBits + 1]int{5: distCodes})
	return fixed
}

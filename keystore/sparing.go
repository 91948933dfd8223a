package keystore

import "runtime/debug"

// A change of a large file makes several copies of it, one after another: what it is written from, what was
// read back, what that says. The collector would let as much garbage come together as is in use.
const sparingPercent = 20

// sparing has the collector keep garbage small while a file of so many bytes is worked on, and gives the system back
// what was free when end is called. It does nothing for usual files.
func sparing(size int) (end func()) {
	if size < largeFile {
		return func() {}
	}
	usual := debug.SetGCPercent(sparingPercent)
	return func() {
		if usual != sparingPercent { // else another file is worked on, which began earlier
			debug.SetGCPercent(usual)
		}
		debug.FreeOSMemory()
	}
}

// giveBack returns free memory to the system after work on a file of so many bytes, where that is large.
func giveBack(size int) {
	if size >= largeFile {
		debug.FreeOSMemory()
	}
}

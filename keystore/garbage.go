package keystore

import "runtime/debug"

// A change of a large file makes several copies of it, one after another: what it is written from, what was read back,
// what was parsed from that. By default the garbage collector lets as much garbage pile up as is in use.
const largeFilePercent = 20

// limitGarbage makes the garbage collector run more often while a file of size bytes is worked on. end restores that
// and returns free memory to the system. Both do nothing for usual files.
func limitGarbage(size int) (end func()) {
	if size < largeFile {
		return func() {}
	}
	usual := debug.SetGCPercent(largeFilePercent)
	return func() {
		if usual != largeFilePercent { // otherwise a change of another file is in progress, which started earlier
			debug.SetGCPercent(usual)
		}
		debug.FreeOSMemory()
	}
}

// releaseMemory returns free memory to the system after work on a file of size bytes, if that is large.
func releaseMemory(size int) {
	if size >= largeFile {
		debug.FreeOSMemory()
	}
}

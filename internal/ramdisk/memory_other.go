//go:build !linux

package ramdisk

const memory = ""

func roomInMemory() bool { return false }

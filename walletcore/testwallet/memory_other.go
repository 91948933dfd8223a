//go:build !linux

package testwallet

const memory = ""

func roomInMemory() bool { return false }

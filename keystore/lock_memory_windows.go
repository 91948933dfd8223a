package keystore

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func lockMemory(b []byte) error {
	return windows.VirtualLock(uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
}

func unlockMemory(b []byte) { // the memory was wiped before: there is nothing left to protect
	_ = windows.VirtualUnlock(uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
}

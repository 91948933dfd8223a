//go:build !unix

package main

func ownUmask() {}

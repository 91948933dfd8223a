// Package content makes packages of content, exchanges them over IPFS, and publishes, buys and fetches content
// (docs/design/018-content-engine.md, Flows).
//
//	create ─► package ─► upload ─► submit      publish: all of it in the background, under one approval
//	buy ─► download ─► (seeders deliver the key) ─► extract
//
// Downloads and publications are tasks: each has a small file that is replaced atomically, so that a program that is killed goes on with
// them at its next start, or reports what is lost. What nobody but this wallet may know of a task is encrypted with its keys. Money moves
// only through package payment: a publication under the request key of its task, so that it is submitted once, however often the program
// dies. Folders that a caller names over RPC lie below the one that the operator named, whatever links there are.
package content

// Package deflate compresses exactly as zlib does at its default level, byte for byte. The hash of a content package is that of its
// compressed and encrypted bytes, so a package that is made again from the same files must have the same bytes, whoever makes it;
// compress/gzip compresses as well, but to other bytes (docs/design/018-content-engine.md, Packages).
//
//	Write ──► window of 64 KiB ──► matches, each put off by one byte ──► 16,383 symbols ──► a block ──► the writer below
//
// A Writer has no options, keeps about 700 KiB, whatever the length of the input,. Reading is left to compress/gzip.
package deflate

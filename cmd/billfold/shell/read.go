package shell

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// errStopped means that a signal came while a file was read.
var errStopped = errors.New("it was stopped while it was read")

// Open opens a file that the user named. The end of ctx ends the wait for the writer of a pipe, and every read. Unreadable names its error,
// and those of reads.
func Open(ctx context.Context, path string) (*os.File, error) {
	type outcome struct {
		file *os.File
		err  error
	}
	opened := make(chan outcome)
	go func() { // opening a pipe waits for its writer, whatever happens here
		file, err := os.Open(path)
		select {
		case opened <- outcome{file, err}:
		case <-ctx.Done():
			if err == nil {
				_ = file.Close()
			}
		}
	}()
	select {
	case now := <-opened:
		if now.err == nil {
			context.AfterFunc(ctx, func() { _ = now.file.SetReadDeadline(time.Unix(1, 0)) }) // which only a pipe has
		}
		return now.file, now.err
	case <-ctx.Done():
		return nil, errStopped
	}
}

// ReadFile reads at most so many bytes of a file that the user named; see Open.
func ReadFile(ctx context.Context, path string, most int64) ([]byte, error) {
	file, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, most))
}

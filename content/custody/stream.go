package custody

import (
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// A package is read in rounds of a few hundred messages, which are spread over the processors in tasks.
const (
	taskSize   = 32
	roundTasks = 32
	roundSize  = taskSize * roundTasks // messages
)

// ErrSize means that a package is empty, larger than custody data can be made for, or not as large as was said.
var ErrSize = errors.New("the package does not have the size that was given, or a size for which there is no custody data")

// Signatures returns how many signatures a package of size bytes has: one for every MessageSize bytes begun. Error: ErrSize.
func Signatures(size int64) (uint32, error) {
	if size <= 0 || (size-1)/MessageSize >= math.MaxUint32 {
		return 0, ErrSize
	}
	return uint32((size-1)/MessageSize + 1), nil
}

// rounds reads the messages of a package from one on.
type rounds struct {
	pkg        io.Reader
	size       int64
	first, all uint32
	options    Options
}

// each calls do with the messages of each round and the index of the first. The last message is filled with zeroes. The memory of
// messages is reused.
func (r rounds) each(ctx context.Context, do func(start uint32, messages []byte) error) error {
	buffer := make([]byte, roundSize*MessageSize)
	left := r.size - int64(r.first)*MessageSize
	for start := r.first; start < r.all; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(roundSize, r.all-start)
		given := min(left, int64(n)*MessageSize)
		if _, err := io.ReadFull(r.pkg, buffer[:given]); err != nil {
			return sizeError(err)
		}
		clear(buffer[given : int64(n)*MessageSize])
		if err := do(start, buffer[:n*MessageSize]); err != nil {
			return err
		}
		left -= given
		start += n
		if r.options.Progress != nil {
			r.options.Progress(start, r.all)
		}
	}
	switch n, err := io.ReadFull(r.pkg, buffer[:1]); {
	case n > 0:
		return ErrSize
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// sizeError returns ErrSize in place of the end of a file.
func sizeError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrSize
	}
	return err
}

// inParallel calls do for the tasks of n messages, each with the first of its messages and the one behind its last, and waits for all.
func inParallel(workers, n int, do func(task, from, to int)) {
	tasks := (n + taskSize - 1) / taskSize
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, tasks) {
		group.Go(func() {
			for {
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return
				}
				do(task, task*taskSize, min(n, (task+1)*taskSize))
			}
		})
	}
	group.Wait()
}

package historyindex

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// ErrNoRoom means that the index stands still: what the disk has left is for files that cannot be rebuilt, above all the payment journal.
var ErrNoRoom = errors.New("the history index does not grow")

// mostKept is how many bytes of a disk the index leaves to other files; of a small disk, a quarter.
const mostKept = 64 << 20

// checkRoom returns ErrNoRoom if the disk has no room for more of the index, and sets the notice as long as that is so.
func (x *Index) checkRoom() error {
	folder := filepath.Dir(x.path)
	free, all, known := x.room(folder)
	kept := min(mostKept, all/4)
	x.mu.Lock()
	defer x.mu.Unlock()
	if !known || free >= kept {
		if strings.HasPrefix(x.notice, ErrNoRoom.Error()) {
			x.notice = ""
		}
		return nil
	}
	err := fmt.Errorf("%w: the disk that holds %s has %d MiB left, and %d are kept for the payment journal; free some space", ErrNoRoom, folder,
		free>>20, (kept+1<<20-1)>>20)
	x.notice = err.Error()
	return err
}

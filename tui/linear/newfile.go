package linear

import (
	"errors"
	"os"

	"billfold/tui/format"
	"billfold/tui/screen"
)

// writeNew writes a new file. It refuses to overwrite an existing one.
func writeNew(path string, text []byte) error {
	path = screen.Path(path)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, os.ErrExist) {
		return refuse(format.Clean(path)+" is there already; it was left alone.", "choose another name.")
	}
	if err != nil {
		return refuse(sentence(format.Clean(err.Error())), "choose another name.")
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

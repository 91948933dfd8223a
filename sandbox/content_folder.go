package sandbox

import (
	"fmt"
	"os"

	"billfold/sandbox/ipfs"
)

// contentEnd is added to the name of the state file for the folder beside it that keeps content.
const contentEnd = ".content"

// contentFolder is the folder that keeps content in place of IPFS; none if Folder is nil.
type contentFolder struct {
	*ipfs.Folder
	temporary string // the path, if it is removed at the end
}

// openContent opens the folder of the options. Seeders have one in any case.
func openContent(o Options) (c contentFolder, err error) {
	path := o.Content
	switch {
	case path != "":
	case o.Seeders == 0:
		return c, nil
	case o.State != "":
		path = o.State + contentEnd
	default:
		if path, err = os.MkdirTemp("", "billfold-content-"); err != nil {
			return c, fmt.Errorf("the folder for content cannot be made: %w", err)
		}
		c.temporary = path
	}
	c.Folder, err = ipfs.Open(path)
	return c, err
}

func (c contentFolder) close() error {
	if c.temporary == "" {
		return nil
	}
	return os.RemoveAll(c.temporary)
}

package walk

import (
	_ "tree/walk/step"

	_ "strings"
)

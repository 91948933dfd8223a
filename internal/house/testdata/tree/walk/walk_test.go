package walk

import (
	_ "tree/walk/step"

	_ "strings"
)

var data = "a line of more than a hundred and forty columns, which is fine, because it is the data of a test, whatever it is good for xxxxxxxxxx"

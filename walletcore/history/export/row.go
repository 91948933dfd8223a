package export

import "billfold/walletcore/history"

// Row is a row with what is written beside it.
type Row struct {
	history.Entry
	Transaction string // its id; "" when it is not known
	Label       string
}

package export

import "billfold/walletcore/history"

// Row is an entry with what is written beside it.
type Row struct {
	history.Entry
	Transaction string // its id; "" if it is not known
	Label       string
}

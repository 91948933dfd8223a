package api

import (
	"billfold/sandbox/chain/state"
)

var publishingMethods = map[string]Method{
	"list_publishing_managers": read2(func(st *state.State, lower string, limit uint32) (any, error) {
		if err := within100(limit); err != nil {
			return nil, err
		}
		return st.Accounts.PublishingManagers(lower, int(limit)), nil
	}),
}

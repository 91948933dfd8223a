//go:build !linux

package store_test

import "testing"

// kinds are the kinds of store that can be tested here.
func kinds() map[string]func(*testing.T) func(*testing.T) place {
	return map[string]func(*testing.T) func(*testing.T) place{"sqlite": file}
}

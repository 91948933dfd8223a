package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// noAccount returns the fault for an account name or id that does not exist.
func noAccount(name string) error {
	return nodeerr.New(nodeerr.CodeNoAccount, "call", "account: ${name}", nodeerr.Data{"name": name})
}

// objectNotFound returns the fault for an object id that does not exist.
func objectNotFound(id ledger.ObjectID) error {
	return nodeerr.New(nodeerr.CodeObjectNotFound, "get", "Object ID: ${id}", nodeerr.Data{"id": id})
}

// badArgument returns the fault for argument number at, which could be read but is
// not valid.
func badArgument(at int, why string) error {
	return nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}",
		nodeerr.Data{"index_of_parameter": at}).
		In("from_variant", "${why}", nodeerr.Data{"why": why})
}

// asError returns the fault as an error, and a nil fault as an untyped nil.
func asError(f *nodeerr.Fault) error {
	if f == nil {
		return nil
	}
	return f
}

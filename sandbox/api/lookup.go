package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// noAccount is the fault that there is no account of that name or id.
func noAccount(name string) error {
	return nodeerr.New(nodeerr.CodeNoAccount, "call", "account: ${name}", nodeerr.Data{"name": name})
}

// objectNotFound is the fault that there is no object with the id.
func objectNotFound(id ledger.ObjectID) error {
	return nodeerr.New(nodeerr.CodeObjectNotFound, "get", "Object ID: ${id}", nodeerr.Data{"id": id})
}

// badArgument refuses an argument that could be read but is of no use.
func badArgument(at int, why string) error {
	return nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}",
		nodeerr.Data{"index_of_parameter": at}).
		In("from_variant", "${why}", nodeerr.Data{"why": why})
}

// asError keeps a nil fault from becoming an error that is not nil.
func asError(f *nodeerr.Fault) error {
	if f == nil {
		return nil
	}
	return f
}

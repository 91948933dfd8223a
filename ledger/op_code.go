package ledger

// OpCode is the number of an operation. Codes 46 to 51 are virtual: they appear
// in history only, and a transaction that contains one is refused.
type OpCode uint64

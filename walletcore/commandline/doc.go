// Package commandline reads what is typed at the wallet's prompt and written in command
// files, in the reference's syntax: a list of values with blanks between them, of which the
// first is the operation.
//
//	transfer alice bobby 10 DCT "thank you" true
//	list_account_balances 1.2.17
//	get_transaction_id {"ref_block_num": 1, operations: []}
//
// A value is JSON, relaxed: a bare word is text, a bare integer a number, and what has a point
// stays text, so that 1000.03 and 1.2.11 keep their digits. 0x1f, 0b101 and 0o17 are text as well:
// only where an operation takes a number are they one, see Number. Text with blanks stands between
// double quotes, with JSON's escapes, or between single quotes, as it is. Nothing here knows which
// operations exist.
package commandline

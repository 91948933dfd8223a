// Package commandline reads what is typed at the wallet's prompt and written in command files, in the reference's
// syntax: values separated by blanks, the first of which is the operation.
//
//	transfer alice bobby 10 DCT "thank you" true
//	list_account_balances 1.2.17
//	get_transaction_id {"ref_block_num": 1, operations: []}
//
// A value is JSON, relaxed: a bare word is text and a bare integer a number, but a number with a decimal point stays
// text, so that 1000.03 and 1.2.11 keep their digits. 0x1f, 0b101 and 0o17 are text as well; they are numbers only
// where an operation takes a number, see Number. Text with blanks is put between double quotes, with JSON's escapes, or
// between single quotes, taken literally. Nothing here knows which operations exist.
package commandline

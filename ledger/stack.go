package ledger

// stackRoom is more than the functions that handle a secret use of the stack, those of the library included.
const stackRoom = 16 << 10

// CleanStack makes room on the stack, and overwrites what functions that have returned left below. A function that handles a secret
// calls it first, because a stack that grows leaves its old memory behind as it is, and once more, deferred, when
// it has cleared its own variables.
//
//go:noinline
func CleanStack() {
	var room [stackRoom]byte
	use(&room)
}

// use keeps the compiler from leaving out what is not used otherwise.
//
//go:noinline
func use(room *[stackRoom]byte) byte { return room[len(room)/2] }

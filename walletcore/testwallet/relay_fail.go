package testwallet

import "fmt"

// Failure is the way in which a call of the daemon fails.
type Failure int

// The failures.
const (
	RequestLost   Failure = iota // the connection breaks before the daemon has the request
	AnswerLost                   // the connection breaks before the wallet has the answer
	ErrorAnswered                // the daemon answers with an error
)

// String returns the failure in words.
func (f Failure) String() string {
	return [...]string{"without the request", "without the answer to", "with an error of the daemon for"}[f]
}

// FailCall has the n-th request from now on fail. MendCall ends that.
func (r *Relay) FailCall(n int, how Failure) {
	r.Set(func(r *Relay) {
		r.failed = ""
		r.Seen = func(request string) {
			if n--; n != 0 {
				return
			}
			r.failed = request
			switch how {
			case RequestLost:
				r.Lose = request
			case AnswerLost:
				r.Cut = request
			case ErrorAnswered:
				id := frameID(request)
				r.Swap = func(answer string) string {
					if frameID(answer) != id {
						return answer
					}
					return fmt.Sprintf(`{"id":%s,"error":%s}`, id, notNow)
				}
			}
		}
	})
}

// notNow is the error of ErrorAnswered.
const notNow = `{"code":1,"message":"not now","data":{"code":10,"name":"assert_exception","message":"not now","stack":[]}}`

// MendCall lets all requests pass, and returns the one that failed since FailCall, "" if there were fewer.
func (r *Relay) MendCall() (failed string) {
	r.Set(func(r *Relay) {
		failed = r.failed
		r.Seen, r.Lose, r.Cut, r.Swap = nil, "", "", nil
	})
	return failed
}

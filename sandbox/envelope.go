package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"billfold/ledger/codec"
	"billfold/sandbox/api"
	"billfold/sandbox/chain/nodeerr"
)

// request is one call as the client wrote it.
type request struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// readRequest reads an envelope. It fails where the node does not answer: for text
// that is not a JSON object, an id that is not a whole number, or params that are
// not an array.
func readRequest(data []byte) (request, error) {
	r := request{Params: []json.RawMessage{}}
	if err := codec.Unmarshal(codec.FromFC(data), &r); err != nil {
		return r, err
	}
	if r.ID != nil {
		if n, err := strconv.ParseUint(string(r.ID), 10, 64); err != nil || string(r.ID) != strconv.FormatUint(n, 10) {
			return r, errors.New("the id is not a whole number")
		}
	}
	if r.Params == nil {
		return r, errors.New("params is not an array")
	}
	return r, nil
}

// envelopeFault returns the error that HTTP reports for an envelope that cannot be
// read, or nil if it can.
func envelopeFault(data []byte) *nodeerr.Error {
	_, err := readRequest(data)
	if err == nil {
		return nil
	}
	code := nodeerr.CodeBadCast
	if !json.Valid(bytes.TrimSpace(codec.FromFC(data))) {
		code = nodeerr.CodeParse
	}
	return nodeerr.New(code, "receive_call", "the request is not an object with a numeric id, a method and an array of params", nil)
}

// answer carries out the call in a frame. It returns the reply, or nil if there is
// none, and how much later than other answers to send it.
func (s *session) answer(frame []byte) ([]byte, time.Duration) {
	s.lag = 0
	reply := s.reply(frame)
	return reply, s.lag
}

func (s *session) reply(frame []byte) []byte {
	r, err := readRequest(frame)
	if err != nil {
		return nil
	}
	result, fault := s.call(r)
	if r.ID == nil {
		return nil
	}
	head := append(append([]byte(`{"id":`), r.ID...), ',')
	if fault == nil {
		if body, err := codec.AppendJSON(append(head, `"result":`...), result); err == nil {
			return append(body, '}')
		}
		fault = nodeerr.New(nodeerr.CodeUnspecified, "call", "the sandbox could not write the answer", nil)
	}
	return s.appendFault(head, fault)
}

func (s *session) call(r request) (any, *nodeerr.Error) {
	set, method, args := api.Database(), r.Method, r.Params
	if r.Method == "call" {
		if len(r.Params) != 3 {
			return nil, nodeerr.New(nodeerr.CodeAssert, "on_message", "args.size() == 3: call wants [api, method, [arguments]]", nil)
		}
		var fault *nodeerr.Error
		if set, fault = s.Find(r.Params[0]); fault != nil {
			return nil, fault
		}
		if codec.Unmarshal(r.Params[1], &method) != nil || codec.Unmarshal(r.Params[2], &args) != nil || args == nil {
			return nil, nodeerr.New(nodeerr.CodeBadCast, "receive_call", "Invalid cast: a method is text, its arguments are an array", nil)
		}
	}
	set, method = s.developerCall(set, method)
	s.lag = s.faults.methodLag(method)
	do := set.Method(method)
	if do == nil {
		return nil, nodeerr.New(nodeerr.CodeNoMethod, "call", "itr != _by_name.end(): '${name}'",
			nodeerr.Data{"name": method, "api": set.Listing()})
	}
	result, err := do(s.Session, args)
	if err == nil {
		return result, nil
	}
	var fault *nodeerr.Error
	if !errors.As(err, &fault) {
		fault = nodeerr.New(nodeerr.CodeUnspecified, method, err.Error(), nil)
	}
	return nil, fault
}

// developerPrefix begins the names of developer methods in calls that name no set.
const developerPrefix = "sandbox_"

// developerCall resolves a call of the developer set, and exempts the connection
// that makes it from faults. It returns other calls unchanged.
func (s *session) developerCall(set *api.Set, name string) (*api.Set, string) {
	if set == api.Database() && strings.HasPrefix(name, developerPrefix) {
		set, name = s.Developer, strings.TrimPrefix(name, developerPrefix)
	}
	if set == s.Developer {
		s.setDeveloper()
	}
	return set, name
}

package sandbox

import (
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
)

// errorObject is the node's error (docs/protocol/daemon-api.md 1.2).
type errorObject struct {
	Code    int       `json:"code"`
	Message string    `json:"message"`
	Data    errorData `json:"data"`
}

type errorData struct {
	Code    int          `json:"code"`
	Name    string       `json:"name"`
	Message string       `json:"message"`
	Stack   []stackFrame `json:"stack"`
}

type stackFrame struct {
	Context frameContext   `json:"context"`
	Format  string         `json:"format"`
	Data    map[string]any `json:"data"`
}

type frameContext struct {
	Level      string      `json:"level"`
	File       string      `json:"file"`
	Line       int         `json:"line"`
	Method     string      `json:"method"`
	Hostname   string      `json:"hostname"`
	ThreadName string      `json:"thread_name"`
	Timestamp  ledger.Time `json:"timestamp"`
}

func (s *session) appendFault(head []byte, f *nodeerr.Error) []byte {
	e := errorObject{Code: int(f.Code), Data: errorData{Code: int(f.Code), Name: f.Name(), Message: f.What()}}
	now := s.Identity.Now()
	for _, frame := range f.Stack {
		data := frame.Data
		if data == nil {
			data = nodeerr.Data{}
		}
		e.Data.Stack = append(e.Data.Stack, stackFrame{
			Context: frameContext{Level: "error", File: "sandbox", Method: frame.Method, ThreadName: "sandbox", Timestamp: now},
			Format:  frame.Format, Data: data,
		})
	}
	first, err := codec.Marshal(e.Data.Stack[0].Data)
	if err != nil {
		first = []byte("{}")
	}
	e.Message = fmt.Sprintf("%s    %s\n    sandbox  %s\n", f.Error(), first, f.Stack[0].Method)
	body, err := codec.AppendJSON(append(head, `"error":`...), e)
	if err != nil {
		return append(head, `"error":{"code":0,"message":"the sandbox could not write the error"}}`...)
	}
	return append(body, '}')
}

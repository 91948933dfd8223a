package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"billfold/ledger"

	"github.com/gorilla/websocket"
)

// asSigner is the value of asProgram for a server that only signs, which is the limit for calls of a wallet.
const asSigner = "signer"

// signedAnswer is about as long as the wallet's answer to a transfer with a memo that is not broadcast.
const signedAnswer = 850

// startSigner starts such a server process and returns its address.
func startSigner(t testing.TB) (p *process, url string) {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	p = begin(t, asSigner, exec.Command(program))
	return p, p.line(`^signer on (ws://\S+)$`)
}

// runSigner serves websockets until the process is stopped. It does not parse calls: for each message it encrypts a memo under
// a known secret, signs, and sends an answer with the signature.
func runSigner() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	server := &http.Server{Handler: http.HandlerFunc(serveSigner), ReadHeaderTimeout: patience}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() {
		<-ended
		_ = server.Close()
	}()
	fmt.Printf("signer on ws://%s\n", listener.Addr())
	_ = server.Serve(listener)
	return 0
}

func serveSigner(w http.ResponseWriter, r *http.Request) {
	conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	sign, err := newBareTransfers(uint32(time.Now().UnixNano()))
	if err != nil {
		return
	}
	answer := bytes.Repeat([]byte{' '}, signedAnswer)
	for {
		_, _, err := conn.ReadMessage()
		if err != nil {
			return
		}
		sig, err := sign.next()
		if err != nil {
			return
		}
		hex.Encode(answer, sig[:])
		if conn.WriteMessage(websocket.TextMessage, answer) != nil {
			return
		}
	}
}

// bareTransfers does only what every transfer needs: it encrypts the memo with a known shared secret, and signs.
type bareTransfers struct {
	from   ledger.PrivateKey
	own    ledger.PublicKey
	to     ledger.PublicKey
	secret ledger.SharedSecret
	made   uint32 // counts the transactions; each has another expiration, so that all differ
}

func newBareTransfers(first uint32) (*bareTransfers, error) {
	b := &bareTransfers{from: ledger.DeriveKey("bench", 0), to: ledger.DeriveKey("bench", 1).Public(), made: first}
	b.own = b.from.Public()
	var err error
	b.secret, err = b.from.SharedSecret(b.to)
	return b, err
}

func (b *bareTransfers) next() (ledger.Signature, error) {
	memo, err := ledger.EncryptMemoWith(b.secret, b.own, b.to, 0, "memo here")
	if err != nil {
		return ledger.Signature{}, err
	}
	b.made++
	tx := ledger.Transaction{Expiration: ledger.Time(b.made), Operations: []ledger.Operation{
		ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo})}}
	digest, err := tx.Digest(ledger.ChainID{})
	if err != nil {
		return ledger.Signature{}, err
	}
	return b.from.Sign(digest), nil
}

//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// depositConsumer are the records of consumers of bobby's deposits, who call any server.
type depositConsumer struct {
	*fleet
	mu     sync.Mutex
	listed map[place]bool
	acked  place // the acknowledged position that a server returned
	wrong  int
}

// place is the position of a deposit on the chain.
type place [4]uint32

func placeOf(position string) (p place, err error) {
	_, err = fmt.Sscanf(strings.ReplaceAll(position, ".", " "), "%d %d %d %d", &p[0], &p[1], &p[2], &p[3])
	return p, err
}

func (p place) after(other place) bool {
	for i := range p {
		if p[i] != other[i] {
			return p[i] > other[i]
		}
	}
	return false
}

// consume lists and acknowledges until quit is closed.
func (b *depositConsumer) consume(quit <-chan struct{}) {
	for {
		select {
		case <-quit:
			return
		case <-time.After(b.random.lasts(500 * time.Millisecond)):
		}
		b.turn(b.members[b.random.upTo(len(b.members))].api(), 200, b.random.upTo)
	}
}

// turn lists up to most new deposits at a server and acknowledges up to one of them. It returns how many were listed.
func (b *depositConsumer) turn(url string, most int, upTo func(n int) int) int {
	if url == "" {
		return -1
	}
	b.mu.Lock()
	acked := b.acked
	b.mu.Unlock()
	out, err := b.post(url, "", "deposits.next", "bobby", most)
	var list []struct {
		Position string `json:"position"`
	}
	if err != nil || out.Error != nil || json.Unmarshal(out.Result, &list) != nil {
		return -1
	}
	var positions []string
	for _, deposit := range list {
		positions = append(positions, deposit.Position)
	}
	b.see(positions, acked)
	if len(list) == 0 {
		return 0
	}
	last := list[upTo(len(list))].Position
	out, err = b.post(url, "", "deposits.ack", "bobby", last)
	if err == nil && out.Error == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		if at, err := placeOf(last); err == nil && at.after(b.acked) {
			b.acked = at
		}
	}
	return len(list)
}

func (b *depositConsumer) see(positions []string, acked place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, position := range positions {
		at, err := placeOf(position)
		if b.listed[at] = true; err != nil || !at.after(acked) {
			b.wrong++
			b.t.Errorf("a deposit at %s was listed after %v was acknowledged (%v)", position, acked, err)
		}
	}
}

// close consumes the remaining deposits and returns the number of errors: deposits listed after their acknowledgement, or never.
func (b *depositConsumer) close(deposits []place) int {
	b.t.Helper()
	last := func(n int) int { return n - 1 }
	newest := deposits[len(deposits)-1]
	b.until("the newest deposit was listed", fleetPatience, func() bool {
		return b.turn(b.members[0].api(), 1000, last) == 0 && b.listed[newest]
	})
	for _, at := range deposits {
		if !b.listed[at] {
			b.wrong++
			b.t.Errorf("the deposit at %v was never listed", at)
		}
	}
	if len(b.listed) > len(deposits) {
		b.t.Errorf("%d deposits were listed of %d", len(b.listed), len(deposits))
		b.wrong++
	}
	return b.wrong
}

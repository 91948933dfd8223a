package linear

// stopper is told what is to be done once the program goes on after ctrl+z.
type stopper interface{ WhenBack(away, back func()) }

// lockWhenStopped locks the wallet once the program goes on after ctrl+z at a prompt, and puts that again.
func (s *Session) lockWhenStopped() {
	by, can := s.opt.Lines.(stopper)
	if !can {
		return
	}
	by.WhenBack(func() { s.opt.Core.Lock.Lock() }, func() {
		s.endLine()
		if !s.env().Unlocked() {
			s.Say("The wallet is locked.")
		}
		s.prompt(s.asked + " > ")
	})
}

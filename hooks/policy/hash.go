package policy

import "math/bits"

// hashed returns a short text of a value: SipHash-2-4, a keyed function, since whoever
// can compute a hash of a card number can find the number by trying. It is written here
// because the hashes of the standard library would weigh more than the rest of the
// package in a page.
func hashed(key Key, text []byte) string {
	const hex = "0123456789abcdef"
	sum := sipHash(key, text)
	out := [17]byte{'#'}
	for i := range 16 {
		out[16-i] = hex[sum>>(4*i)&15]
	}
	return string(out[:])
}

// sipHash is SipHash-2-4 (Aumasson and Bernstein, 2012).
func sipHash(key Key, text []byte) uint64 {
	k0, k1 := word(key[:8]), word(key[8:])
	s := sip{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	size := uint64(len(text))
	for ; len(text) >= 8; text = text[8:] {
		s.add(word(text[:8]))
	}
	s.add(word(text) | size<<56)
	s[2] ^= 0xff
	for range 4 {
		s.round()
	}
	return s[0] ^ s[1] ^ s[2] ^ s[3]
}

// word returns up to eight bytes as a number, the first one lowest.
func word(text []byte) (n uint64) {
	for i, c := range text {
		n |= uint64(c) << (8 * i)
	}
	return n
}

type sip [4]uint64

func (s *sip) add(m uint64) {
	s[3] ^= m
	s.round()
	s.round()
	s[0] ^= m
}

func (s *sip) round() {
	v0, v1, v2, v3 := s[0], s[1], s[2], s[3]
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	s[0], s[1], s[2], s[3] = v0, v1, v2, v3
}

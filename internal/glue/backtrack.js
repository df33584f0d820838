// Which patterns a browser may take for ever to match: those that repeat without
// limit what can be divided in more than one way, as in (a+)+, (a|a)*, \d*\w*.
// Touches nothing but the text that it is given.
//
// A pattern is read as an automaton of positions (Glushkov's): each character or
// class is one, and follow says which may come after which. A repetition that adds a
// way that was there already is one in another; and two positions that the same
// character leads to, and from which the same texts lead back, are two ways through a
// repetition. Where no text fits in two ways, as in ([a-z]+\.)+, nothing is said.

// What is larger is not looked at.
const MANY_POSITIONS = 64;
const MANY_STEPS = 200_000;

// Sets are BigInts. Of characters they have a bit for each in ASCII, and one for all others.
const ALL = (1n << 129n) - 1n;
const OTHERS = ALL ^ ((1n << 128n) - 1n);
const DIGITS = charsOf('0', '9');
const LETTERS = charsOf('a', 'z') | charsOf('A', 'Z');
const WORD = DIGITS | LETTERS | charsOf('_');
const SPACE = charsOf('\t', '\r') | charsOf(' '); // of the others, nearly all are \S
const ESCAPES = { d: DIGITS, w: WORD, s: SPACE, D: ALL ^ DIGITS, W: ALL ^ WORD, S: ALL ^ SPACE };
for (const c of 'tnvfr') ESCAPES[c] = charsOf('\t', '\r');

function charsOf(from, to = from) {
  let set = 0n;
  for (let c = from.codePointAt(); c <= Math.min(to.codePointAt(), 127); c++) set |= 1n << BigInt(c);
  return to.codePointAt() > 127 ? set | OTHERS : set;
}

/** Reports whether a pattern, which is a good one, repeats what can be divided in more than one way. */
function backtracks(pattern) {
  const tokens = pattern.match(/\\(?:[pPkK][{<][^}>]*.|u\{[^}]*.|u.{4}|x..|c.|.)|\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)|\{\d+(?:,\d*)?\}|./gsu) ?? [];
  const chars = []; // by position
  const follow = []; // by position
  let at = 0;
  let twice = false; // whether a repetition is in another

  const membersOf = (set) => {
    const members = [];
    for (let i = 0; set >> BigInt(i) > 0n; i++) if (set >> BigInt(i) & 1n) members.push(i);
    return members;
  };

  /** Has first come after last, and reports whether any of that was known. */
  const connect = (last, first) => {
    let known = false;
    for (const p of membersOf(last)) {
      known ||= (follow[p] & first) !== 0n;
      follow[p] |= first;
    }
    return known;
  };

  const position = (set) => {
    const bit = 1n << BigInt(chars.length);
    chars.push(set);
    follow.push(0n);
    return { first: bit, last: bit, empty: false };
  };

  const charsOfToken = (token) => {
    if (token[0] !== '\\') return charsOf(token);
    if (token[1] in ESCAPES) return ESCAPES[token[1]];
    if (/^\\p\{L/.test(token)) return LETTERS | OTHERS;
    if (/^\\p\{N/.test(token)) return DIGITS | OTHERS;
    if (/^\\p/i.test(token)) return OTHERS;
    const code = /^\\[ux]\{?([\da-f]+)/i.exec(token);
    return charsOf(code === null ? token[1] : String.fromCodePoint(Math.min(parseInt(code[1], 16), 128)));
  };

  const classOf = () => {
    const inverted = tokens[at] === '^';
    if (inverted) at++;
    let set = 0n;
    for (; at < tokens.length && tokens[at] !== ']'; at++) {
      // What the tokens of a pattern join means nothing in a class: ({2} is three characters.
      const [first, ...more] = tokens[at][0] === '\\' ? [tokens[at]] : tokens[at];
      for (const c of more) set |= charsOf(c);
      if (more.length === 0 && tokens[at + 1] === '-' && tokens[at + 2]?.length === 1 && tokens[at + 2] !== ']') {
        set |= charsOf(first, tokens[at += 2]);
      } else {
        set |= charsOfToken(first);
      }
    }
    at++;
    return inverted ? ALL ^ (set & ~OTHERS) : set;
  };

  const atom = () => {
    const token = tokens[at++];
    if (token[0] === '(') {
      const inner = alternatives();
      at++;
      return /[=!]$/.test(token) ? { first: 0n, last: 0n, empty: true } : inner; // what is looked at, on its own
    }
    if (/^([$^]|\\[bBk1-9])/.test(token)) return { first: 0n, last: 0n, empty: true };
    if (token === '.') return position(ALL);
    return position(token === '[' ? classOf() : charsOfToken(token));
  };

  const repeated = (part) => {
    const token = tokens[at] ?? '';
    const limits = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})$/.exec(token);
    if (limits === null) return part;
    at++;
    if (tokens[at] === '?') at++; // tries as much, in another order
    const [, sign, least, comma, most] = limits;
    const endless = sign === '*' || sign === '+' || (comma === ',' && most === '');
    if (endless && connect(part.last, part.first)) twice = true;
    return { ...part, empty: part.empty || sign === '*' || sign === '?' || Number(least) === 0 };
  };

  const sequence = () => {
    const all = { first: 0n, last: 0n, empty: true };
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      const part = repeated(atom());
      connect(all.last, part.first);
      if (all.empty) all.first |= part.first;
      all.last = part.empty ? all.last | part.last : part.last;
      all.empty &&= part.empty;
    }
    return all;
  };

  const alternatives = () => {
    const all = sequence();
    while (tokens[at] === '|') {
      at++;
      const next = sequence();
      all.first |= next.first;
      all.last |= next.last;
      all.empty ||= next.empty;
    }
    return all;
  };

  alternatives();
  if (twice || chars.length > MANY_POSITIONS) return twice;

  const next = follow.map(membersOf);
  const loops = (p) => next[p].includes(p);
  let steps = 0;
  /** Reports whether two different ways lead from p back to p with the same text. */
  const meetsAgain = (p) => {
    const seen = new Set();
    const todo = [[p, p, false]]; // where the one is, where the other is, whether they have parted
    while (todo.length > 0 && steps < MANY_STEPS) {
      const [a, b, parted] = todo.pop();
      for (const i of next[a]) {
        for (const j of next[b]) {
          steps++;
          if ((chars[i] & chars[j]) === 0n) continue;
          const apart = parted || i !== j;
          if (apart && i === p && j === p) return true;
          const key = (i * MANY_POSITIONS + j) * 2 + apart;
          if (!seen.has(key)) todo.push([i, j, apart]);
          seen.add(key);
        }
      }
    }
    return false;
  };
  return chars.some((_, p) => meetsAgain(p)
    || (loops(p) && next[p].some((q) => q !== p && loops(q) && (chars[p] & chars[q]) !== 0n)));
}

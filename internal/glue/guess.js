// What a mistyped name may have meant. Touches nothing.

/** Returns "did you mean ...? " where a name is nearly one that is known. */
function guess(name, known) {
  const given = name.slice(0, 40).toLowerCase();
  const near = known.map((other) => [distance(given, other.toLowerCase()), other]).sort(([a], [b]) => a - b)[0];
  const meant = near[0] <= 2 && near[0] < given.length ? near[1] : known.find((other) => given.includes(other.toLowerCase()));
  return meant === undefined ? '' : `did you mean ${meant}? `;
}

/** Returns how many letters have to be changed, added or left out to make one text of another. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

Say.guess = guess;

// Some classes are several concepts: each has a file of its own, which says what
// it may touch, and adds its part to the class.

/** Gives a class the methods and getters of a part of it. */
function extend(whole, part) {
  const { constructor, ...members } = Object.getOwnPropertyDescriptors(part.prototype);
  Object.defineProperties(whole.prototype, members);
}

// JSON Schemas that nothing can be wrong with, so that Go need not compile them
// before they are used: they have only keywords, and those only values, that Go
// takes whatever they say. Touches nothing.

/** What a keyword's value may be, with how deep it is in the schema. */
const SOUND = {
  __proto__: null,
  title: isText,
  description: isText,
  type: (value) => TYPES.includes(value),
  enum: isListOf(isScalar),
  const: isScalar,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  required: isListOf(isText),
  items: isSound,
  properties: (value, depth) => isObject(value) && !Array.isArray(value) && Object.values(value).every((schema) => isSound(schema, depth)),
  additionalProperties: (value, depth) => typeof value === 'boolean' || isSound(value, depth),
};

/** Reports whether a JSON Schema, a copy of what JSON carries, is certain to compile, and without a warning. */
function isSound(schema, depth = 0) {
  return isObject(schema) && !Array.isArray(schema) && depth < 100 // Go reads no text that is nested much deeper
    && Object.keys(schema).every((keyword) => SOUND[keyword]?.(schema[keyword], depth + 1) === true);
}

function isListOf(isItem) {
  return (value) => Array.isArray(value) && value.every((item) => isItem(item));
}

function isScalar(value) {
  return !isObject(value);
}

function isText(value) {
  return typeof value === 'string';
}

function isNumber(value) {
  return typeof value === 'number';
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

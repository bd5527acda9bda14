/** What a language writes where there is no value, or where a value was not turned into text. */
export const noValue = /^(undefined|null|None|nil|NaN|\[object Object\])$/;

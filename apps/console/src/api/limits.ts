// Limits of the API that several screens have in their forms.

/** Characters of a tag, which a search takes whole. */
export const MAX_TAG = 255;

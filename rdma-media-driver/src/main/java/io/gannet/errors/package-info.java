/** Codes of what an operator may see, with meaning, cause and remedy. */
package io.gannet.errors;

// Inputs of requests, read strictly: JavaScript's own conversions let too much pass.

"use strict";

class WrongInput extends Error {
  status = 400;
}

function text(value) {
  if (typeof value !== "string") throw new WrongInput("a text is missing");
  return value;
}

function int32(value) {
  const number = Number(value);
  if (!/^[+-]?[0-9]+$/.test(value) || number !== (number | 0)) {
    throw new WrongInput(`not an integer of 32 bits: ${value}`);
  }
  return number;
}

function double(value) {
  const number = Number(value);
  if (value === undefined || (Number.isNaN(number) && value !== "NaN")) {
    throw new WrongInput(`not a number: ${value}`);
  }
  return number;
}

/** Answers what the client did wrong, as Express tells it too; other errors are left to others. */
function refuseWrongInputs(error, _request, response, next) {
  const { status, message } = error;
  if (!(status >= 400 && status < 500)) return next(error);
  response.status(status).json({ status, message });
}

module.exports = { WrongInput, double, int32, refuseWrongInputs, text };


  toFitSchema: matcher((answer, name, why) => {
    const pass = validators.validate(name, JSON.parse(answer.text));
    const problems = validators.errorsText(validators.errors);
    const wanted = `a body that fits ${name}${pass ? "" : ` (${problems})`}`;
    return { pass, wanted, why };
  }),

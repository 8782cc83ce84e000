
    def problems(self, schema):
        """Where the body does not fit a schema of schemas.json."""
        validator = Draft202012Validator(SCHEMAS[schema], registry=Registry())
        errors = validator.iter_errors(self.body())
        return sorted(f"{error.json_path}: {error.message}" for error in errors)

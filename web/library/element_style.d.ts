// Declares the module `shardline/element.css`, which a bundler imports for its effect: TypeScript from 6 on refuses an import without types.
export {};

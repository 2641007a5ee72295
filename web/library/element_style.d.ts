// That there is a module `shardline/element.css`, which a bundler imports for its effect: TypeScript from 6 on refuses what has no types.
export {};

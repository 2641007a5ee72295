// The types that TypeScript derives from a document's type: its field paths, and the values to compare with and to write. It is written by hand: it
// says nothing about JavaScript. Documents without a type have any field, and any value in it.

import type { FilterOperator } from './query.js';
import type { DocumentSnapshot } from './revive.js';
import type { DocumentReference, GeoPoint, Timestamp, VectorValue } from './values.js';

/** A document whose type is not given. */
export type DocumentData = { [field: string]: any };

// Values of Firebase's SDKs, which the option `values` puts into documents. Their times and places have the members of this library's.
type FirebaseBytes = { toUint8Array(): Uint8Array };
type FirebaseReference = { readonly id: string, readonly path: string, readonly firestore: object };
type FirebaseVector = { toArray(): number[], isEqual(other: any): boolean };

/** Values in which no field path leads on. */
type Scalar = string | number | bigint | boolean | null | undefined | Date | Timestamp | Uint8Array | GeoPoint | DocumentReference | VectorValue
  | FirebaseBytes | FirebaseReference | FirebaseVector;

// Field paths.

/** How many dots a path may have to be looked up: types may contain themselves. */
type Dots = 3;
type OneLess = [never, 0, 1, 2];
/** Paths with more dots, of types that have them, are not looked up. */
type DeepPath = `${string}.${string}.${string}.${string}.${string}`;
/** Paths with names in backquotes, which are no identifiers, are not looked up either. */
type QuotedPath = `${string}\`${string}`;

type PathIn<T, Left extends number = Dots> = unknown extends T ? string
  : T extends Scalar | readonly unknown[] ? never
  : { [Name in keyof T & string]: Name | (Left extends 0 ? never : `${Name}.${PathIn<T[Name], OneLess[Left]>}`) }[keyof T & string];

/** DeepPath, if there may be such a path; else never. */
type DeepPathIn<T, Left extends number = Dots> = T extends Scalar | readonly unknown[] ? never
  : Left extends 0 ? DeepPath : { [Name in keyof T & string]: DeepPathIn<T[Name], OneLess[Left]> }[keyof T & string];

/** The path of a field of `T`, with dots: `'price'`, `'price.currency'`. */
export type FieldPath<T> = unknown extends T ? string : PathIn<T> | '__name__' | DeepPathIn<T> | QuotedPath;

/** The path of a field that holds numbers. */
export type NumberPath<T> = unknown extends T ? string
  : { [Path in PathIn<T>]: number extends Wide<FieldType<T, Path>> ? Path : never }[PathIn<T>] | DeepPathIn<T> | QuotedPath;

/** `number` for a type that may be a number, for `any` and for `unknown`. */
type Wide<Value> = unknown extends Value ? number : Value extends number | bigint ? number : never;

/** The type of a field. For a union of maps, the types of those that have the field. */
export type FieldType<T, Path extends string> = unknown extends T ? T
  : string extends Path ? Any<Member<T, string>>
  : Path extends '__name__' ? DocumentReference
  : Path extends QuotedPath ? any
  : Path extends `${infer Name}.${infer Rest}` ? FieldType<Member<T, Name>, Rest>
  : Member<T, Path>;

/** A record gives any field; a map that was not looked into gives anything. */
type Any<Value> = [Value] extends [never] ? any : Value;

type Member<T, Name> = T extends Scalar | readonly unknown[] ? never : Name extends keyof T ? T[Name] : never;

/** The part of a document that select() leaves. */
export type Selected<T, Path extends string> = unknown extends T ? T
  : string extends keyof T ? T
  : T extends Scalar | readonly unknown[] ? T
  : { [Name in keyof T as Name extends FirstName<Path> ? Name : never]: Name extends Path ? T[Name] : Selected<T[Name], Behind<Name, Path>> };

type FirstName<Path> = Path extends `${infer Name}.${string}` ? Name : Path;
type Behind<Name, Path> = Path extends `${Name & string}.${infer Rest}` ? Rest : never;

// Values.

/** The values that a list and a filter accept: a Date for a Timestamp, and values of Firebase's SDKs for those of this library. */
export type Storable<Value> = unknown extends Value ? Value
  : Value extends Timestamp | Date ? Timestamp | Date
  : Value extends Uint8Array | FirebaseBytes ? Uint8Array | FirebaseBytes
  : Value extends DocumentReference | FirebaseReference ? DocumentReference | FirebaseReference
  : Value extends VectorValue | FirebaseVector ? VectorValue | FirebaseVector
  : Value extends Scalar ? Value
  : Value extends readonly (infer Element)[] ? readonly Storable<Element>[]
  : { readonly [Name in keyof Value]: Storable<Value[Name]> };

/** The values that a field accepts: a value, or a transform of the server. */
export type Writable<Value> = unknown extends Value ? Value
  : Value extends Timestamp | Date ? Storable<Value> | ServerTimestamp
  : Value extends number | bigint ? Value | Increment
  : Value extends readonly unknown[] ? Storable<Value> | ArrayChange<Storable<Value[number]>>
  : Value extends Scalar ? Storable<Value>
  : WritableFields<Value>;

type WritableFields<T> = { [Name in keyof T]: Writable<T[Name]> | FirebaseFieldValue };

/** A whole document, to be written. */
export type WithFieldValue<T> = (T & object) | (unknown extends T ? never : WritableFields<T>);

/** Some fields of a document, also in maps, for set() with `merge`. Fields that may be missing can be deleted. */
export type PartialWithFieldValue<T> = Partial<T & object> | (unknown extends T ? never : PartialFields<T>);

type PartialFields<T> = { [Name in keyof T]?: PartialValue<T[Name]> | Deletion<T, Name & string> | FirebaseFieldValue };
type PartialValue<Value> = unknown extends Value ? Value : Value extends Scalar | readonly unknown[] ? Writable<Value> : PartialFields<Value>;

/** Changes of a document by field paths. Fields that may be missing can be deleted. */
export type UpdateData<T> = unknown extends T ? object : string extends keyof T ? object
  : { [Path in PathIn<T>]?: FieldChange<T, Path> };

/** The values that update() accepts for one field. */
export type FieldChange<T, Path extends string> = unknown extends T ? unknown
  : Writable<FieldType<T, Path>> | Deletion<T, Path> | FirebaseFieldValue;

/** The same for a field that may be named by a FieldPath of Firebase's SDKs, whose type does not tell which it is. */
export type ChangeAt<T, Path> = Path extends string ? FieldChange<T, Path> : unknown;

/**
 * The arguments behind the first field and value of update(): further ones in turn, and behind them `Last`. `Given` is what was passed in. `Given` is
 * never `never`; the question makes TypeScript infer `Given`.
 */
export type FurtherChanges<T, Given extends readonly unknown[], Last extends readonly unknown[]> = Given extends never ? Given
  : ChangesInTurn<T, Given, Last>;

type ChangesInTurn<T, Given extends readonly unknown[], Last extends readonly unknown[]> = number extends Given['length'] ? Given
  : Given extends readonly [] ? []
  : Given extends readonly [infer Path, unknown, ...infer Rest]
    ? [field: FieldPath<T> | FirebaseFieldPath, value: ChangeAt<T, Path>, ...ChangesInTurn<T, Rest, Last>]
  : Given extends readonly [string | FirebaseFieldPath] ? [field: FieldPath<T> | FirebaseFieldPath, value: unknown]
  : Last;

/** The arguments of update(), in a form that lets TypeScript see the texts in them. */
export type UpdateArgument = string | {} | null | undefined;

/** Each of them. For a rest parameter, JavaScript's comments name the type of each argument: the declarations name the type of all. */
export type EachOf<Arguments extends readonly unknown[]> = Arguments[number];

/** deleteField(), if the field is optional or is any field of a record. */
type Deletion<T, Path extends string> = T extends Scalar | readonly unknown[] ? never
  : Path extends `${infer Name}.${infer Rest}` ? Deletion<Member<T, Name>, Rest>
  : Path extends keyof T ? {} extends Pick<T, Path> ? DeleteField : never : never;

// The server's transforms: each kind has its own type, so that TypeScript refuses it for a field that cannot hold its result. No program sees the
// property that tells them apart.

declare const kind: unique symbol;
declare const elements: unique symbol;

/** Made by serverTimestamp(): for fields with a Timestamp. */
export interface ServerTimestamp { readonly [kind]: 'serverTimestamp' }
/** Made by increment(): for fields with a number. */
export interface Increment { readonly [kind]: 'increment' }
/** Made by arrayUnion() and arrayRemove(): for fields with an array. */
export interface ArrayChange<Element = unknown> { readonly [kind]: 'array', readonly [elements]: Element }
/** Made by deleteField(): for optional fields, in update() and in set() with `merge`. */
export interface DeleteField { readonly [kind]: 'delete' }

/** The results of those functions of Firebase's SDKs. Its type does not tell which it is, so that any field takes it. */
export interface FirebaseFieldValue {
  isEqual(other: FirebaseFieldValue): boolean,
  // Other comparable values have these members.
  seconds?: never,
  latitude?: never,
  id?: never,
  toArray?: never,
  toBase64?: never,
}

/** A FieldPath of those SDKs, such as documentId(): accepted wherever paths are texts. */
export interface FirebaseFieldPath {
  isEqual(other: any): boolean,
  // Other comparable values have these members.
  seconds?: never,
  latitude?: never,
  id?: never,
  toArray?: never,
  toBase64?: never,
}

// Converters.

/** A converter for withConverter(): also a FirestoreDataConverter of Firebase's SDKs. */
export interface DocumentConverter<Model = any> {
  /** Makes the document to store. set() with `merge` passes `{merge: true}`. */
  toFirestore(model: any, options?: any): object,
  /** Makes the app's object of a document that was read. */
  fromFirestore(snapshot: SnapshotToConvert, options?: any): Model,
}

/** A document that was read, with the members that Firebase's converters use. */
export interface SnapshotToConvert {
  readonly id: string,
  readonly ref: { readonly id: string, readonly path: string },
  readonly metadata?: { readonly fromCache: boolean, readonly hasPendingWrites: boolean },
  data(options?: any): { [field: string]: any },
  get(field: any): any,
}

// Filters.

/** The operators for a field: those of arrays only if it may hold an array. */
export type OperatorFor<Value> = unknown extends Value ? FilterOperator
  : [Extract<Value, readonly unknown[]>] extends [never] ? Exclude<FilterOperator, 'array-contains' | 'array-contains-any'> : FilterOperator;

/** The value to compare a field with. */
export type Operand<Value, Op> = unknown extends Value ? Value
  : Op extends 'array-contains' ? Storable<ElementOf<Value>>
  : Op extends 'array-contains-any' ? readonly Storable<ElementOf<Value>>[]
  : Op extends 'in' | 'not-in' ? readonly Storable<Exclude<Value, undefined>>[]
  : Op extends '==' | '!=' ? Storable<Exclude<Value, undefined>> | null
  : Storable<Exclude<Value, undefined>>;

type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : never;

/** The arguments of startAt() and its like: a value that some field may hold, or a document that a query has returned. */
export type CursorValue<T> = unknown extends T ? unknown : Storable<FieldType<T, PathIn<T>>> | DocumentReference | DocumentSnapshot<unknown> | null;

declare const conditions: unique symbol;

/** A condition for `where()` of a query; made by where(), and() and or(). Its type says of which fields, and with which values. */
export interface QueryFilter<Conditions = any> { readonly [conditions]: Conditions }

/** A condition of where() on one field. */
export interface Condition<Path, Op, Value> { field: Path, op: Op, value: Value }

/** All that can be said of a document. */
export type ConditionOn<T> = unknown extends T ? any : string extends keyof T ? any
  : { [Path in FieldPath<T>]: ConditionOnField<Path, FieldType<T, Path>> }[FieldPath<T>];

type ConditionOnField<Path, Value> = { [Op in OperatorFor<Value>]: Condition<Path, Op, Operand<Value, Op>> }[OperatorFor<Value>];

type ConditionsOf<Filter> = Filter extends QueryFilter<infer Conditions> ? Conditions : never;

/** The type of and() and or(). */
export type JoinFilters = <Filters extends readonly QueryFilter[]>(...filters: Filters) => QueryFilter<ConditionsOf<Filters[number]>>;

// Without this, TypeScript would export all that a file of declarations has.
export {};

#pragma once

#include "api/api.h"
#include "documents/document_write.h"
#include "sharded_query/query_plan.h"

namespace shardline {

// The calls of a sharded collection. collection.check refuses wrong arguments, and ends at once;
// like collection.add it draws an id and a shard for each document, which a batch then adds.
// collection.add writes as many of the documents, from the first on, as fit into one commit, and
// answers only for these: [{"id", "shard"}, …]. collection.set, update and delete answer {"id",
// "shard"}, with the shard only if it is known. For the other results see PageOperation,
// CountOperation, AggregateOperation, GetDocument and QueryPlan::Describe.
Result<std::unique_ptr<Operation>> StartCollectionCheck(JsonScanner& scanner,
                                                        OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionAdd(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionSet(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionUpdate(JsonScanner& scanner,
                                                         OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionDelete(JsonScanner& scanner,
                                                         OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionQuery(JsonScanner& scanner,
                                                        OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionCount(JsonScanner& scanner,
                                                        OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionAggregate(JsonScanner& scanner,
                                                            OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionGet(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionPlan(JsonScanner& scanner,
                                                       OperationContext& context);

inline constexpr Parameter kCollectionParameter = {.name = "collection",
                                                   .type = ParameterType::kObject,
                                                   .required = true,
                                                   .internal = true,
                                                   .members = kCollectionParameters,
                                                   .description = "The collection."};
inline constexpr Parameter kStartParameter = {
    .name = "start",
    .type = ParameterType::kInteger,
    .internal = true,
    .least = 0,
    .description = "The number of the first document, for messages. Left out: there is only one."};
inline constexpr Parameter kIdParameter = {.name = "id",
                                           .type = ParameterType::kText,
                                           .required = true,
                                           .internal = true,
                                           .description = "The document's id."};

inline constexpr Parameter kCollectionCheckParameters[] = {
    kCollectionParameter,
    kStartParameter,
    {.name = "documents",
     .type = ParameterType::kList,
     .internal = true,
     .members = kDocumentParameters,
     .description = "Documents to be checked."},
};
inline constexpr Parameter kCollectionAddParameters[] = {
    kCollectionParameter,
    kStartParameter,
    {.name = "documents",
     .type = ParameterType::kList,
     .required = true,
     .internal = true,
     .members = kDocumentParameters,
     .description = "The new documents."},
    kSignalParameter,
};
inline constexpr Parameter kCollectionSetParameters[] = {
    kCollectionParameter,
    kIdParameter,
    {.name = "document",
     .type = ParameterType::kObject,
     .required = true,
     .internal = true,
     .members = kDocumentParameters,
     .description = "The whole document."},
    {.name = "merge",
     .type = ParameterType::kBoolean,
     .description = "Whether the fields of a document that is there stay, except those given."},
    {.name = "move",
     .type = ParameterType::kBoolean,
     .description = "With merge: whether the shard that is given may move the document there."},
    kSignalParameter,
};
inline constexpr Parameter kCollectionUpdateParameters[] = {
    kCollectionParameter,
    kIdParameter,
    {.name = "changes",
     .type = ParameterType::kObject,
     .required = true,
     .internal = true,
     .members = kDocumentParameters,
     .description = "What changes. The names of fields are paths with dots in them."},
    {.name = "move",
     .type = ParameterType::kBoolean,
     .description = "Whether the changes may move the document to another shard."},
    kSignalParameter,
};
inline constexpr Parameter kCollectionDeleteParameters[] = {kCollectionParameter, kIdParameter,
                                                            kSignalParameter};
inline constexpr Parameter kCollectionGetParameters[] = {
    kCollectionParameter,
    kIdParameter,
    {.name = "nameOnly",
     .type = ParameterType::kBoolean,
     .internal = true,
     .description = "Whether the document's fields are left out."},
    kSignalParameter,
};
inline constexpr Parameter kQueryParameter = {.name = "query",
                                              .type = ParameterType::kObject,
                                              .required = true,
                                              .internal = true,
                                              .members = kQueryParameters,
                                              .description = "The query."};
inline constexpr Parameter kCollectionQueryParameters[] = {kCollectionParameter, kQueryParameter,
                                                           kSignalParameter};
inline constexpr Parameter kCollectionAggregateParameters[] = {
    kCollectionParameter,
    kQueryParameter,
    {.name = "kind",
     .type = ParameterType::kWord,
     .required = true,
     .internal = true,
     .allowed = "sum|average",
     .description = "What to make of the field's numbers."},
    {.name = "field",
     .type = ParameterType::kText,
     .required = true,
     .internal = true,
     .description = "A field path with dots: price.micros."},
    kSignalParameter,
};

inline constexpr ApiCall kCollectionCalls[] = {
    {"collection.check", StartCollectionCheck, kCollectionCheckParameters,
     "Refuses bad options of a collection, and bad documents. Needs no network."},
    {"collection.add", StartCollectionAdd, kCollectionAddParameters,
     "Adds documents under new ids, each to a random shard unless it names one."},
    {"collection.set", StartCollectionSet, kCollectionSetParameters, "Writes a whole document."},
    {"collection.update", StartCollectionUpdate, kCollectionUpdateParameters,
     "Changes fields of a document, which must exist."},
    {"collection.delete", StartCollectionDelete, kCollectionDeleteParameters,
     "Deletes a document."},
    {"collection.query", StartCollectionQuery, kCollectionQueryParameters,
     "Reads one page of a query."},
    {"collection.count", StartCollectionCount, kCollectionQueryParameters,
     "Counts what a query finds, without reading it."},
    {"collection.aggregate", StartCollectionAggregate, kCollectionAggregateParameters,
     "Adds up a field of what a query finds, or takes its average, without reading it."},
    {"collection.get", StartCollectionGet, kCollectionGetParameters, "Reads one document."},
    {"collection.plan", StartCollectionPlan, kCollectionQueryParameters,
     "What a query would ask for. Needs no network."},
};
inline constexpr auto kCollectionApi = EntriesOf(kCollectionCalls);

}  // namespace shardline
